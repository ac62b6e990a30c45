namespace Mux.Gateway;

/// <summary>A route whose client is known by its name.</summary>
/// <param name="Pattern">See <see cref="MuxRoute.Pattern"/>.</param>
/// <param name="Client">Name of a client of the host; null for the client without a name.</param>
/// <param name="Configure">Sets who may call, and limits; null for nothing.</param>
internal sealed record MappedRoute(string Pattern, string? Client, Action<MuxRoute>? Configure);
