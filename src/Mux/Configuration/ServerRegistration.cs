namespace Mux.Configuration;

/// <summary>One call that gave the server of a host its address.</summary>
/// <param name="Address">The same in all of them.</param>
internal sealed record ServerRegistration(string Address);
