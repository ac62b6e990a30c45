using System.Runtime.CompilerServices;

namespace Mux.Runtime;

/// <summary>
/// Finds the placement of the code after an await of one method's calls, or of its streams. One per method for the whole process: what is known of its cost
/// stays known when channels and proxies come and go.
/// </summary>
internal sealed class AwaitedCode
{
    // By the descriptor of the method, which is not known here. A contract that is unloaded takes its descriptors along.
    private static readonly ConditionalWeakTable<object, AwaitedCode> s_ofCalls = [];
    private static readonly ConditionalWeakTable<object, AwaitedCode> s_ofStreams = [];

    private readonly Placement _ofTasks;
    private ContinuationPlacement? _last; // most calls of a method are awaited in one place, which then needs no table

    private AwaitedCode(string ofTasks) => _ofTasks = new Placement(ofTasks);

    /// <summary>Name for logs of code after tasks, which is not visible here.</summary>
    public string Name => _ofTasks.Name;

    /// <param name="method">The descriptor of the method.</param>
    /// <param name="name">Name of the method for logs.</param>
    public static AwaitedCode OfCalls(object method, string name) =>
        s_ofCalls.GetValue(method, _ => new AwaitedCode($"The code after the task of a call of {name}"));

    /// <inheritdoc cref="OfCalls"/>
    public static AwaitedCode OfStreams(object method, string name) =>
        s_ofStreams.GetValue(method, _ => new AwaitedCode($"The code after the task of a stream of {name}"));

    /// <param name="state">State passed to <c>OnCompleted</c> with the continuation.</param>
    public Placement Find(object? state) => Find(state, ref _last);

    /// <inheritdoc cref="Find(object?)"/>
    /// <param name="state">State passed to <c>OnCompleted</c> with the continuation.</param>
    /// <param name="last">The placement last found by the same caller.</param>
    public Placement Find(object? state, ref ContinuationPlacement? last) => ContinuationPlacement.Of(state, _ofTasks, ref last);
}
