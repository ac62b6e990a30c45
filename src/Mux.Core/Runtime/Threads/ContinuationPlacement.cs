using System.Runtime.CompilerServices;

namespace Mux.Runtime;

/// <summary>Finds the placement of code after an await by the type of its state machine: one placement per async method, for the whole process.</summary>
internal sealed class ContinuationPlacement : Placement
{
    private static readonly ConditionalWeakTable<Type, ContinuationPlacement> s_byType = [];

    private readonly Type _type;
    private readonly bool _isTaskOfCall; // then the code that awaits the task is not visible here

    private ContinuationPlacement(Type type)
        : base(Describe(type))
    {
        _type = type;
        _isTaskOfCall = type.DeclaringType is { } outer
            && (outer == typeof(ValueTask) || (outer.IsGenericType && outer.GetGenericTypeDefinition() == typeof(ValueTask<>)));
    }

    public override string Advice => OfSideAdvice; // it may be of a handler whose calls keep an order

    /// <param name="state">State passed to <c>OnCompleted</c> with the continuation.</param>
    /// <param name="ofTasks">Placement of the code after <c>AsTask()</c>: one per method.</param>
    /// <param name="last">The placement last found at the same place.</param>
    public static Placement Of(object? state, Placement ofTasks, ref ContinuationPlacement? last)
    {
        var type = state?.GetType() ?? typeof(object);
        var found = last;
        if (found?._type != type) last = found = s_byType.GetValue(type, key => new ContinuationPlacement(key));
        return found._isTaskOfCall ? ofTasks : found;
    }

    /// <summary>True if it is the placement of the continuation with this state.</summary>
    public bool IsOf(object? state) => state is not null && state.GetType() == _type && !_isTaskOfCall;

    /// <summary>Names the async method: the compiler puts its name into that of the state machine, as in <c>Desk.&lt;AskAsync&gt;d__3</c>.</summary>
    private static string Describe(Type type)
    {
        var machine = type.IsGenericType ? type.GetGenericArguments()[^1] : type;
        return $"The code after an await in {machine}";
    }
}
