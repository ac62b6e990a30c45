namespace Mux;

/// <summary>
/// Gives singletons the context of the call that they serve. <c>AddMuxServer().AddCallContext()</c> registers it. Safe for concurrent use; tests can implement
/// it.
/// </summary>
public interface IMuxCallContextAccessor
{
    /// <summary>Gets the context of the call that the running code serves, see <see cref="MuxCallContext.Current"/>.</summary>
    /// <value>Null outside a call, and in code that outlives its call.</value>
    MuxCallContext? CallContext { get; }
}
