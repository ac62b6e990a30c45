namespace Mux.Configuration;

/// <summary>A call that set the address of a host's server.</summary>
/// <param name="Address">The address; all such calls must have the same one.</param>
internal sealed record ServerRegistration(string Address);
