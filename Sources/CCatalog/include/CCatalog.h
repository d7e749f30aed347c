#pragma once

/// The services that authctl knows by name: the text of services.yaml.
const char *ccatalog_text(void);
