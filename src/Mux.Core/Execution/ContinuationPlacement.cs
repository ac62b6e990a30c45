using System.Runtime.CompilerServices;

namespace Mux.Execution;

/// <summary>
/// Finds where the code after an await belongs, by the type of the state machine that awaits: one placement per async method, for the whole process.
/// </summary>
internal sealed class ContinuationPlacement
{
    private static readonly ConditionalWeakTable<Type, ContinuationPlacement> s_byType = [];

    private readonly Type _type;
    private readonly Placement? _placement; // null for a task made of a call: what awaits that is not seen here

    private ContinuationPlacement(Type type)
    {
        _type = type;
        bool isTaskOfCall = type.DeclaringType is { } outer
            && (outer == typeof(ValueTask) || (outer.IsGenericType && outer.GetGenericTypeDefinition() == typeof(ValueTask<>)));
        if (!isTaskOfCall) _placement = new Placement(Describe(type));
    }

    /// <param name="state">What is given to <c>OnCompleted</c> with the continuation.</param>
    /// <param name="ofTasks">Of the code behind <c>AsTask()</c>: one per method.</param>
    /// <param name="last">The last one found in the same place.</param>
    public static Placement Of(object? state, Placement ofTasks, ref ContinuationPlacement? last)
    {
        var type = state?.GetType() ?? typeof(object);
        var found = last;
        if (found?._type != type) last = found = s_byType.GetValue(type, key => new ContinuationPlacement(key));
        return found._placement ?? ofTasks;
    }

    /// <summary>The async method by its name, which the compiler puts into that of the state machine: <c>Desk.&lt;AskAsync&gt;d__3</c>.</summary>
    private static string Describe(Type type)
    {
        var machine = type.IsGenericType ? type.GetGenericArguments()[^1] : type;
        return $"The code after an await in {machine}";
    }
}
