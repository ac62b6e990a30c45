using System.Runtime.CompilerServices;

namespace Mux.Runtime;

/// <summary>
/// Decides by cost whether one kind of user code (a method's handler, the code after an await) runs in the turn or on a worker. It starts in the turn. Every
/// run adds its time to a bucket that drains by what <see cref="AllowedFor"/> grants; a full bucket moves the code to workers. After a while the code may
/// return; the while doubles with each failed return.
/// </summary>
/// <remarks>
/// <para>The cost on a worker is not measured: a run there sends by itself and competes for a core, so on a busy machine cheap code looked expensive and stayed
/// on workers, where it is expensive. A trial costs some take-overs or 8 ms, in the end every 10 s. Starting on a worker has the same fault.</para>
/// <para>Times are in microseconds, except those of the trials. Any number of threads report without synchronization: a lost report changes nothing that
/// matters.</para>
/// </remarks>
/// <param name="name">See <see cref="Name"/>.</param>
/// <param name="staysInline">True if the code runs in the turn whatever it costs, because its author says so.</param>
/// <param name="keepsOrder">True if it is a handler whose calls keep an order, which another dispatch mode of its method would end.</param>
/// <param name="milliseconds">Clock for tests.</param>
internal class Placement(string name, bool staysInline = false, bool keepsOrder = false, Func<long>? milliseconds = null)
{
    /// <summary>
    /// Allowed mean cost of a run in the turn. A worker costs 1-5 us and the batch, so cheaper code is slower there. One call in a thousand that blocks for 5
    /// ms is 5 us in the mean: the monitor handles that call better than workers would handle all the others.
    /// </summary>
    public const long CheapCost = 10;

    /// <summary>
    /// Received bytes that allow one microsecond more. An echo of 20,000 bytes takes 16 us of processor time at each end, twice that in slow phases of a
    /// machine; without this allowance, it would be moved to a worker, where it costs five times as much.
    /// </summary>
    private const int BytesPerMicrosecond = 1_024;

    /// <summary>Maximum charge per clock reading. One long time may be a preemption or a garbage collection, so it takes several of them.</summary>
    private const long HighestCharge = 2_000;

    private const long DebtLimit = 8_000;

    /// <summary>Advice for code with the dispatch mode Inline.</summary>
    public const string InlineAdvice = "Await instead of blocking in this code, or set its dispatch mode to Adaptive or Pool.";

    /// <summary>Advice for code whose method must keep its dispatch mode, or has none.</summary>
    protected const string OfSideAdvice = "Await instead of blocking in this code, or set Dispatch in the options of its server or channel to Pool; in its " +
        "contract that would end the order of calls.";

    /// <summary>Number of first runs that are not charged: the runtime compiles the code then, which takes milliseconds.</summary>
    private const int UncountedRuns = 32;

    /// <summary>Shortest and longest time on workers before a trial, in milliseconds; it doubles with each failure.</summary>
    private const long ShortestExile = 20;
    private const long LongestExile = 10_000;

    /// <summary>Time in milliseconds after which a trial has succeeded, and earlier failures are forgotten.</summary>
    private const long TimeToForget = 2_000;

    private volatile bool _isInline = true;
    private int _uncountedRuns = UncountedRuns;
    private long _debt;
    private long _exile = ShortestExile;
    private long _nextChange; // time of the return to the turn; in the turn, the time since when

    /// <summary>Name for logs: a method, or the type of a state machine.</summary>
    public string Name => name;

    /// <summary>Says in a log what to do if the code blocks. Does not name the dispatch mode that the code has.</summary>
    public virtual string Advice => keepsOrder ? OfSideAdvice
        : staysInline ? InlineAdvice
        : "Await instead of blocking in this code, or set its dispatch mode to Pool.";

    /// <summary>True if its next run should be in the turn.</summary>
    public bool IsInline => (_isInline || TryComeBack()) && !MonitorSignals.IsShortOfLeaders;

    /// <summary>Number of times it was moved out of the turn; for tests and statistics.</summary>
    public int Demotions { get; private set; }

    /// <summary>Number of times another thread took over because this code kept a turn.</summary>
    public int TakeOvers { get; private set; }

    private long Now => milliseconds?.Invoke() ?? Environment.TickCount64;

    /// <summary>Microseconds that so many runs, which got so many bytes together, may take in the turn.</summary>
    /// <remarks>
    /// Bytes of replies allow nothing. Encoding one that stays in the turn takes less than <see cref="CheapCost"/>, and a method with larger ones leaves it
    /// anyway (<c>UnaryHandler</c>): a caller asks for them with few bytes, and others would wait for the time that they were allowed.
    /// </remarks>
    public static long AllowedFor(int runs, int bytes) => (runs * CheapCost) + (bytes / BytesPerMicrosecond);

    /// <summary>Reports <paramref name="runs"/> runs in a turn, which took <paramref name="elapsed"/> together.</summary>
    /// <param name="elapsed">Microseconds.</param>
    /// <param name="runs">Number of runs.</param>
    /// <param name="allowed">Microseconds that they may take: <see cref="AllowedFor"/>.</param>
    public void OnInline(long elapsed, int runs, long allowed)
    {
        if (_uncountedRuns > 0)
        {
            _uncountedRuns -= runs;
            return;
        }

        long debt = _debt + Math.Min(elapsed, HighestCharge + allowed) - allowed;
        if (debt > 0 || _debt > 0) Charge(Math.Max(0, debt));
    }

    /// <summary>Reports that another thread had to take over. If the code waits, that is charged in addition to its final time, which may never come.</summary>
    public void OnTakenOver(bool waits)
    {
        TakeOvers++;
        if (waits) Charge(_debt + HighestCharge);
    }

    private void Charge(long debt)
    {
        _debt = debt;
        if (debt <= DebtLimit || !_isInline || staysInline) return;
        long now = Now;
        if (now - _nextChange > TimeToForget) _exile = ShortestExile;
        _debt = 0;
        _nextChange = now + _exile;
        _exile = Math.Min(_exile * 2, LongestExile);
        _isInline = false;
        Demotions++;
    }

    private bool TryComeBack()
    {
        long now = Now;
        if (now < _nextChange) return false;
        _nextChange = now;
        _isInline = true;
        return true;
    }
}

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

/// <summary>
/// Names observers of calls that block a turn: listeners of spans and meters, and loggers. They run where the call ends, so there is no mode to choose.
/// </summary>
/// <param name="name">See <see cref="Placement.Name"/>.</param>
internal sealed class ListenerPlacement(string name) : Placement(name)
{
    private const string Listener = "A listener of spans or meters";

    /// <summary>Listeners of calls whose method is not named.</summary>
    public static ListenerPlacement OfAnyMethod { get; } = new(Listener);

    public override string Advice => "Return from it at once, and leave slow work to another thread.";

    /// <summary>Listeners of a method's calls.</summary>
    public static ListenerPlacement Of(string method) => new($"{Listener} (call of {method})");

    /// <summary>Loggers of a method's failed calls, which listeners may follow.</summary>
    public static ListenerPlacement OfFailures(string method) => new($"A logger, or a listener of spans or meters (failed call of {method})");
}
