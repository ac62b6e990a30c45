namespace Mux.Configuration;

/// <summary>One call that added a client to a host; a client may be added several times.</summary>
/// <param name="Name">Empty for the client without a name.</param>
/// <param name="Address">Null if the call names none.</param>
internal sealed record ClientRegistration(string Name, string? Address);
