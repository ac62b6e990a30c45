using System.Security.Claims;

namespace Mux.Server;

/// <summary>Holder of access rights.</summary>
/// <param name="User">The user; null if the peer is anonymous.</param>
/// <param name="ExpiresAt">End of the rights; null for never.</param>
/// <param name="Name">Name for the log.</param>
/// <param name="Place">Names the peer in the log.</param>
internal sealed record AccessHolder(ClaimsPrincipal? User, DateTimeOffset? ExpiresAt, string Name, string Place);
