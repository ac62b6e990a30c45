namespace Mux.Contracts;

/// <summary>Who may call a method, as its contract says. Immutable.</summary>
/// <param name="allowsAnonymous">Everybody.</param>
/// <param name="requiresUser">A peer that is authenticated, and that all policies and all lists of roles take.</param>
/// <param name="policies">Names of policies.</param>
/// <param name="roles">Lists of roles with commas between them; one of each list is needed.</param>
public sealed class MethodAuthorization(bool allowsAnonymous, bool requiresUser, IReadOnlyList<string> policies, IReadOnlyList<string> roles)
{
    /// <summary>Everybody may call it.</summary>
    public bool AllowsAnonymous { get; } = allowsAnonymous;

    /// <summary>Only a peer that is authenticated may call it, and that all of <see cref="Policies"/> and <see cref="Roles"/> take.</summary>
    public bool RequiresUser { get; } = requiresUser;

    /// <summary>Names of policies.</summary>
    public IReadOnlyList<string> Policies { get; } = policies;

    /// <summary>Lists of roles with commas between them; one of each list is needed.</summary>
    public IReadOnlyList<string> Roles { get; } = roles;
}
