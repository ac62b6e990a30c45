namespace Mux.Configuration;

/// <summary>Represents all Mux sections of the configuration, so that they are validated when a host starts, like options.</summary>
internal sealed class HostSections;
