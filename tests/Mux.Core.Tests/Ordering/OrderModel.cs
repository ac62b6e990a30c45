namespace Mux.Core.Tests.Ordering;

/// <summary>What a server does with ordered calls, without threads and wire: which of them run, wait, and have ended how.</summary>
internal sealed class OrderModel(int keys, int maxKeys, int maxCallsOfKey)
{
    private readonly List<Call>[] _queues = [.. Enumerable.Range(0, keys).Select(static _ => new List<Call>())]; // the first call of each runs
    private readonly Dictionary<int, Queue<Call>> _arrivals = []; // by client: those whose keys are not known, and those behind them
    private readonly List<Call> _calls = [];

    public int Refused { get; private set; }

    public int Keys => _queues.Count(static queue => queue.Count > 0);

    public int Waiting => _queues.Sum(static queue => Math.Max(0, queue.Count - 1));

    public IReadOnlyList<Call> Calls => _calls;

    public IEnumerable<Call> Running => _queues.Where(static queue => queue.Count > 0).Select(static queue => queue[0]);

    public void Arrive(Call call)
    {
        _calls.Add(call);
        var arrivals = ArrivalsOf(call.Client);
        if (call.IsWhole && arrivals.Count == 0)
        {
            Enter(call);
            return;
        }

        arrivals.Enqueue(call);
        Advance(call.Client);
    }

    /// <summary>The last fragment of a request has come.</summary>
    public void Complete(int client, int number)
    {
        Find(client, number).IsWhole = true;
        Advance(client);
    }

    /// <summary>The caller has cancelled a call, or its deadline has passed. One that runs runs on.</summary>
    public void GiveUp(Call call, MuxStatus status)
    {
        if (call.IsOver) return;
        if (Running.Contains(call))
        {
            call.MayEndAnyhow = true;
            return;
        }

        (call.IsOver, call.Status) = (true, status);
        _queues[call.Key].Remove(call);
    }

    public void Expire(int client)
    {
        foreach (var call in _calls.Where(call => call.Client == client && call.HasDeadline)) GiveUp(call, MuxStatus.DeadlineExceeded);
    }

    /// <summary>A connection is lost. Calls of it that run keep their keys.</summary>
    public void Lose(int client)
    {
        foreach (var call in _calls.Where(call => call.Client == client)) GiveUp(call, MuxStatus.Unavailable);
        ArrivalsOf(client).Clear();
    }

    /// <summary>The handler of a call has ended.</summary>
    public void End(Call call)
    {
        (call.IsOver, call.Status) = (true, MuxStatus.Ok);
        _queues[call.Key].Remove(call);
    }

    public Call Find(int client, int number) => _calls.Single(call => (call.Client, call.Number) == (client, number));

    private Queue<Call> ArrivalsOf(int client)
    {
        if (!_arrivals.TryGetValue(client, out var arrivals)) _arrivals.Add(client, arrivals = new());
        return arrivals;
    }

    private void Advance(int client)
    {
        var arrivals = ArrivalsOf(client);
        while (arrivals.TryPeek(out var first) && first.IsWhole)
        {
            arrivals.Dequeue();
            if (!first.IsOver) Enter(first);
        }
    }

    private void Enter(Call call)
    {
        var queue = _queues[call.Key];
        if (queue.Count == 0 ? Keys < maxKeys : queue.Count < maxCallsOfKey)
        {
            queue.Add(call);
            return;
        }

        Refused++;
        (call.IsOver, call.Status) = (true, MuxStatus.ResourceExhausted);
    }

    internal sealed class Call(int client, int number, int key)
    {
        public int Client => client;

        public int Number => number;

        public int Key => key;

        public bool IsWhole { get; set; }

        public bool HasDeadline { get; init; }

        /// <summary>True if it is answered, or need not be: its handler never runs, or has ended.</summary>
        public bool IsOver { get; set; }

        public MuxStatus? Status { get; set; }

        /// <summary>True if it was given up while its handler ran: its caller may get the reply or not.</summary>
        public bool MayEndAnyhow { get; set; }

        public override string ToString() => $"{client}.{number} of key {key}";
    }
}
