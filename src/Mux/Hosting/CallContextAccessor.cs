namespace Mux.Hosting;

/// <summary>Injects the context of the running call. Safe for concurrent use.</summary>
internal sealed class CallContextAccessor : IMuxCallContextAccessor
{
    public MuxCallContext? CallContext => MuxCallContext.Current;

    /// <summary>Gets the context for the scope of a call.</summary>
    /// <exception cref="InvalidOperationException">The running code serves no call, or its call has ended.</exception>
    public static MuxCallContext Require() => MuxCallContext.Current ?? throw new InvalidOperationException(
        $"There is no {nameof(MuxCallContext)} here, because no Mux call is being served, or the call that started this code has ended. Inject it into " +
        $"services with AddScopedService and into what they use; in a singleton, and in code that also runs without a call, " +
        $"inject {nameof(IMuxCallContextAccessor)}.");
}
