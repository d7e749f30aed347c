import Foundation
import SwiftOperators
import SwiftParser
import SwiftSyntax

/// A place where the source can be changed: insertions that keep its meaning while the mutant is off, and all line breaks.
struct Site {
    let kind: String
    let file: String
    let line: Int
    var text: String
    /// Edits of the file's bytes; ID stands for the mutant's number.
    let edits: [(at: Int, removes: Int, adds: String)]
}

/// Finds the rules of a file: comparisons, conditions, bounds, results, and calls whose result is not used.
final class Finder: SyntaxVisitor {
    let file: String
    let lines: SourceLocationConverter
    var sites: [Site] = []

    init(_ file: String, _ tree: some SyntaxProtocol) {
        (self.file, lines) = (file, SourceLocationConverter(fileName: file, tree: tree))
        super.init(viewMode: .sourceAccurate)
    }

    private func add(_ kind: String, _ node: some SyntaxProtocol, _ edits: [(Int, Int, String)]) {
        let text = node.trimmedDescription.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let line = lines.location(for: node.positionAfterSkippingLeadingTrivia).line
        sites.append(Site(kind: kind, file: file, line: line, text: String(text.prefix(100)), edits: edits))
    }

    private func around(_ node: some SyntaxProtocol, _ before: String, _ after: String) -> [(Int, Int, String)] {
        [
            (node.positionAfterSkippingLeadingTrivia.utf8Offset, 0, before),
            (node.endPositionBeforeTrailingTrivia.utf8Offset, 0, after),
        ]
    }

    private func calls(_ name: String, _ node: InfixOperatorExprSyntax) -> [(Int, Int, String)] {
        let sign = node.operator
        let start = sign.positionAfterSkippingLeadingTrivia.utf8Offset
        let end = sign.endPositionBeforeTrailingTrivia.utf8Offset
        return around(node, "\(name)(ID, ", ")") + [(start, end - start, ",")]
    }

    override func visit(_ node: InfixOperatorExprSyntax) -> SyntaxVisitorContinueKind {
        switch node.operator.trimmedDescription {
        case "==", "!=": add("negated comparison", node, around(node, "mutantNot(ID, ", ")"))
        case "<": add("moved bound", node, calls("mutantLess", node))
        case ">": add("moved bound", node, calls("mutantGreater", node))
        case "<=": add("moved bound", node, calls("mutantAtMost", node))
        case ">=": add("moved bound", node, calls("mutantAtLeast", node))
        case "&&": add("or instead of and", node, calls("mutantAnd", node))
        case "||": add("and instead of or", node, calls("mutantOr", node))
        default: break
        }
        return .visitChildren
    }

    override func visit(_ node: ConditionElementSyntax) -> SyntaxVisitorContinueKind {
        guard let condition = node.condition.as(ExprSyntax.self), !condition.is(BooleanLiteralExprSyntax.self) else {
            return .visitChildren
        }
        let owner = node.parent?.parent
        if owner?.is(GuardStmtSyntax.self) == true {
            add("dropped check", condition, around(condition, "(mutant(ID) ? true : (", "))"))
        } else if owner?.is(IfExprSyntax.self) == true {
            add("dropped case", condition, around(condition, "(mutant(ID) ? false : (", "))"))
        }
        return .visitChildren
    }

    override func visit(_ node: TernaryExprSyntax) -> SyntaxVisitorContinueKind {
        add("swapped results", node, around(node.condition, "mutantNot(ID, ", ")"))
        return .visitChildren
    }

    override func visit(_ node: ReturnStmtSyntax) -> SyntaxVisitorContinueKind {
        if let literal = node.expression?.as(BooleanLiteralExprSyntax.self) {
            add("other result", node, around(literal, "mutantNot(ID, ", ")"))
        }
        return .visitChildren
    }

    override func visit(_ node: IntegerLiteralExprSyntax) -> SyntaxVisitorContinueKind {
        let isValue =
            node.parent?.is(LabeledExprSyntax.self) == true && node.parent?.parent?.parent?.is(FunctionCallExprSyntax.self) == true
            || node.parent?.is(InitializerClauseSyntax.self) == true && node.parent?.parent?.is(PatternBindingSyntax.self) == true
        if isValue { add("other bound", node, around(node, "(mutant(ID) ? \(node.trimmedDescription) + 1 : ", ")")) }
        return .visitChildren
    }

    override func visit(_ node: CodeBlockItemSyntax) -> SyntaxVisitorContinueKind {
        guard let list = node.parent?.as(CodeBlockItemListSyntax.self), list.count > 1,
            case .expr(var call) = node.item
        else { return .visitChildren }
        if let tried = call.as(TryExprSyntax.self) { call = tried.expression }
        if let awaited = call.as(AwaitExprSyntax.self) { call = awaited.expression }
        guard let function = call.as(FunctionCallExprSyntax.self) else { return .visitChildren }
        let name = function.calledExpression.trimmedDescription
        if !name.hasSuffix(".init"), !["fatalError", "preconditionFailure", "exit"].contains(name) {
            add("removed call", node, around(node, "if !mutant(ID) { ", " }"))
        }
        return .visitChildren
    }

    // Code that the compiler evaluates or compares as text.
    override func visit(_ node: AttributeSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_ node: MacroExpansionExprSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_ node: EnumCaseElementSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
    override func visit(_ node: GenericWhereClauseSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
}

/// FNV-1a of the seed and a place, so that a change elsewhere draws the same mutants.
func draw(_ seed: UInt64, _ place: String) -> UInt64 {
    "\(seed) \(place)".utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
}

// mutate SOURCES COPY COUNT SEED EXCLUDED FOLDER…: writes the changed files to COPY, and prints the drawn mutants.
// EXCLUDED is a file with places that do not compile.
let words = CommandLine.arguments
let (sources, copy) = (words[1], words[2])
let (count, seed) = (Int(words[3])!, UInt64(words[4])!)
let excluded = Set((try? String(contentsOfFile: words[5], encoding: .utf8))?.split(separator: "\n").map(String.init) ?? [])
var sites: [Site] = []
for folder in words[6...] {
    let names = FileManager.default.enumerator(atPath: "\(sources)/\(folder)")!.compactMap { $0 as? String }.sorted()
    for name in names where name.hasSuffix(".swift") {
        let file = "\(folder)/\(name)"
        let tree = Parser.parse(source: try String(contentsOfFile: "\(sources)/\(file)", encoding: .utf8))
        let folded = OperatorTable.standardOperators.foldAll(tree) { _ in }
        let finder = Finder(file, folded)
        finder.walk(folded)
        sites += finder.sites
    }
}
var seen: [String: Int] = [:]
let ranked = sites.map { site in
    var site = site
    let place = [site.file, site.kind, site.text].joined(separator: "\t")
    let number = seen[place, default: 0] + 1
    seen[place] = number
    if number > 1 { site.text += " (\(number))" }
    return (site, rank: draw(seed, "\(place)\t\(number)"))
}
let drawn = ranked.sorted { $0.rank < $1.rank }.map(\.0).filter { !excluded.contains("\($0.file):\($0.line)") }.prefix(count)
FileHandle.standardError.write(Data("\(sites.count) sites\n".utf8))
var edits: [String: [(at: Int, removes: Int, adds: String, order: Int)]] = [:]
for (number, site) in zip(1..., drawn) {
    print(number, "\(site.file):\(site.line)", site.kind, site.text, separator: "\t")
    for edit in site.edits {
        // At one place, what ends an inner site stands before what ends an outer one.
        let size = site.edits[1].at - site.edits[0].at
        let order = edit.at == site.edits[0].at ? -size : size
        edits[site.file, default: []].append((edit.at, edit.removes, edit.adds.replacingOccurrences(of: "ID", with: "\(number)"), order))
    }
}
for (file, edits) in edits {
    var bytes = Array(try Data(contentsOf: URL(fileURLWithPath: "\(sources)/\(file)")))
    for edit in edits.sorted(by: { ($0.at, $0.order) > ($1.at, $1.order) }) {
        bytes.replaceSubrange(edit.at..<edit.at + edit.removes, with: Array(edit.adds.utf8))
    }
    let changed = URL(fileURLWithPath: "\(copy)/\(file)")
    try FileManager.default.createDirectory(at: changed.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: changed)
}
