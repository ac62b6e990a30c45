namespace Mux.Tests.Faults;

/// <summary>Which handlers really ran, by the id of the question. Safe for concurrent use.</summary>
internal sealed class ExecutionHistory
{
    private readonly Lock _gate = new();
    private readonly Dictionary<int, (int Starts, int Ends, int Sent)> _calls = [];

    public int TotalEnds
    {
        get
        {
            lock (_gate) return _calls.Values.Sum(call => call.Ends);
        }
    }

    public int Running
    {
        get
        {
            lock (_gate) return _calls.Values.Sum(call => call.Starts - call.Ends);
        }
    }

    public (int Starts, int Ends, int Sent) Of(int id)
    {
        lock (_gate) return _calls.GetValueOrDefault(id);
    }

    public void Clear()
    {
        lock (_gate) _calls.Clear();
    }

    public void Start(int id) => Change(id, starts: 1);

    public void End(int id) => Change(id, ends: 1);

    /// <summary>An item of its response stream was produced.</summary>
    public void Send(int id) => Change(id, sent: 1);

    private void Change(int id, int starts = 0, int ends = 0, int sent = 0)
    {
        lock (_gate)
        {
            var call = _calls.GetValueOrDefault(id);
            _calls[id] = (call.Starts + starts, call.Ends + ends, call.Sent + sent);
        }
    }
}
