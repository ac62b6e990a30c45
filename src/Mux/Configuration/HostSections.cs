namespace Mux.Configuration;

/// <summary>Stands for the sections of the configuration as a whole: validated when a host starts, together with its options.</summary>
internal sealed class HostSections;
