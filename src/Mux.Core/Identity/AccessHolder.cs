using System.Security.Claims;

namespace Mux.Identity;

/// <summary>Who may do something.</summary>
/// <param name="User">Null for nobody in particular.</param>
/// <param name="ExpiresAt">Null for never.</param>
/// <param name="Name">For the log.</param>
/// <param name="RemoteAddress">For the log.</param>
internal sealed record AccessHolder(ClaimsPrincipal? User, DateTimeOffset? ExpiresAt, string Name, string RemoteAddress);
