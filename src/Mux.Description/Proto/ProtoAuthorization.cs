namespace Mux.Description.Proto;

/// <summary>The callers that a method admits.</summary>
internal sealed class ProtoAuthorization
{
    public bool AllowsAnonymous { get; set; }

    public bool RequiresUser { get; set; }

    /// <summary>Gets the policies, all of which the caller must meet.</summary>
    public List<string> Policies { get; } = [];

    /// <summary>Gets lists of roles, separated by commas: the caller needs one of each.</summary>
    public List<string> Roles { get; } = [];
}
