using System.ComponentModel;

namespace Mux.Contracts;

/// <summary>The authorization that a contract declares for a method. Immutable.</summary>
/// <param name="allowsAnonymous">True if every connected peer may call it.</param>
/// <param name="requiresUser">True if only authenticated peers may call it that meet all policies and all lists of roles.</param>
/// <param name="policies">Names of policies.</param>
/// <param name="roles">Lists of roles, separated by commas; one role of each list is required.</param>
[EditorBrowsable(EditorBrowsableState.Never)]
public sealed class MethodAuthorization(bool allowsAnonymous, bool requiresUser, IReadOnlyList<string> policies, IReadOnlyList<string> roles)
{
    /// <summary>Gets a value indicating whether every connected peer may call it.</summary>
    public bool AllowsAnonymous { get; } = allowsAnonymous;

    /// <summary>
    /// Gets a value indicating whether only authenticated peers may call it that meet all <see cref="Policies"/> and all <see cref="Roles"/>.
    /// </summary>
    public bool RequiresUser { get; } = requiresUser;

    /// <summary>Gets the names of policies.</summary>
    public IReadOnlyList<string> Policies { get; } = policies;

    /// <summary>Gets the lists of roles, separated by commas; one role of each list is required.</summary>
    public IReadOnlyList<string> Roles { get; } = roles;
}
