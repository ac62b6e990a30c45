namespace Mux.Configuration;

/// <summary>A call that added a client to a host; one client may be added several times.</summary>
/// <param name="Name">Empty for the client without a name.</param>
/// <param name="Address">Null if the call has no address.</param>
internal sealed record ClientRegistration(string Name, string? Address);
