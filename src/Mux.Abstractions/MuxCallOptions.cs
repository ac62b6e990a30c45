using System.Security.Claims;

namespace Mux;

/// <summary>
/// What is special about one call, or about all calls in a scope: at the caller what it asks for, at the handler what came with the call. A contract method
/// takes it as a parameter before its token (<c>MuxCallOptions? options = null</c>); calls of methods that do not are given it by <see cref="Apply"/>.
/// Immutable; may be used for any number of calls at once.
/// </summary>
/// <remarks>
/// A test of a handler passes what it wants the handler to see: <c>new MuxCallOptions { Peer = "test", Metadata = new() { ["tenant"] = "7" } }</c>.
/// </remarks>
public sealed class MuxCallOptions
{
    private static readonly AsyncLocal<MuxCallOptions?> s_current = new();
    private static volatile bool s_isUsed; // whether anybody ever applied options: until then no call asks

    /// <summary>The options in force for calls made here that bring none of their own; null if there are none.</summary>
    public static MuxCallOptions? Current => s_isUsed ? s_current.Value : null;

    /// <summary>How long the call may take, from its start, whatever it waits for. At a handler: what was left when the request arrived.</summary>
    /// <value>More than 0; null by default, which means the method's, the service's or the channel's.</value>
    public TimeSpan? Timeout { get; init; }

    /// <summary>What travels before the request.</summary>
    public MuxMetadata? Metadata { get; init; }

    /// <summary>
    /// What travels with the reply or failure. A handler adds to it until it has returned and its stream has ended: it travels with the end of the call. A
    /// caller that gives one finds the reply's entries in it when the call has completed; one that is given to several calls at once must not be read before
    /// all have.
    /// </summary>
    public MuxMetadata? ResponseMetadata { get; init; }

    /// <summary>How the call shares its connection with others.</summary>
    /// <value>Null by default, which means the method's.</value>
    public MuxCallPriority? Priority { get; init; }

    /// <summary>Whether the handler may run twice without harm.</summary>
    /// <value>Null by default, which means the method's.</value>
    public bool? Idempotent { get; init; }

    /// <summary>Whether a call that is made while a handler runs ends no later than the handler's own call.</summary>
    /// <value>True by default.</value>
    public bool InheritsDeadline { get; init; } = true;

    /// <summary>At a handler: the address that the call came from. Ignored at a caller.</summary>
    public string? Peer { get; init; }

    /// <summary>
    /// At a handler: who called, as the connection knows it at the start of the call. Null where the server asks nobody, and for a caller who gave no
    /// credential. Shared by all calls of the connection: not to be changed. Ignored at a caller.
    /// </summary>
    public ClaimsPrincipal? User { get; init; }

    /// <summary>
    /// Lets these options hold for all calls made until the result is disposed that bring none of their own, here and in what is awaited from here.
    /// </summary>
    /// <returns>Takes the options back; dispose it in the method that applied them.</returns>
    public MuxCallOptionsScope Apply()
    {
        s_isUsed = true;
        var before = s_current.Value;
        s_current.Value = this;
        return new MuxCallOptionsScope(before);
    }

    internal static void Restore(MuxCallOptions? before) => s_current.Value = before;
}
