namespace Mux.Generators.Contracts.Models;

/// <summary>Authorization of a method, resolved from method and contract.</summary>
/// <param name="AllowsAnonymous">True if every peer may call it.</param>
/// <param name="RequiresUser">True if the caller must be authenticated and meet the policies and roles.</param>
/// <param name="Policies">Policies that must all be met.</param>
/// <param name="Roles">Comma-separated lists; the caller needs one role of each.</param>
internal sealed record AuthorizationModel(bool AllowsAnonymous, bool RequiresUser, EquatableArray<string> Policies, EquatableArray<string> Roles);
