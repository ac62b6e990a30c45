namespace Mux.Calls;

/// <summary>
/// What is known of the execution of a call over all of its attempts: the strongest of them. A call that one server may have executed stays so, although the
/// next server has refused it. A mutable value; its owner guards it.
/// </summary>
internal struct AttemptVerdict
{
    /// <summary>The verdict over the attempts so far; <see cref="MuxExecution.NotExecuted"/> before the first.</summary>
    public MuxExecution Execution { get; private set; }

    /// <summary>Adds an attempt.</summary>
    public void Add(MuxExecution attempt) => Execution = Strongest(Execution, attempt);

    /// <summary>Gets the stronger of two: NotExecuted &lt; MayHaveExecuted &lt; Executed.</summary>
    public static MuxExecution Strongest(MuxExecution first, MuxExecution second) => first > second ? first : second;
}
