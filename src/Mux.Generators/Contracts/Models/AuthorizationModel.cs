namespace Mux.Generators.Contracts.Models;

/// <summary>Who may call a method, resolved from method and contract.</summary>
/// <param name="AllowsAnonymous">Everybody.</param>
/// <param name="RequiresUser">Whoever is authenticated, and passes what follows.</param>
/// <param name="Policies">All of them.</param>
/// <param name="Roles">Lists with commas; one role of each.</param>
internal sealed record AuthorizationModel(bool AllowsAnonymous, bool RequiresUser, EquatableArray<string> Policies, EquatableArray<string> Roles);
