using Mux.Runtime;

namespace Mux.Engine;

/// <summary>
/// Carries out elsewhere what ticks of a connection have decided: logs, listeners of meters and links are user code, which may block, and the ticker's thread
/// keeps the deadlines of the whole process. News for the owner stay in order. Outcomes of calls alone wait for nothing: a caller must not wait for a log.
/// They run where expired calls end when all threads for completions are blocked. Added to by one tick at a time.
/// </summary>
internal sealed class TickedAftermaths(Session session)
{
    private readonly Lock _gate = new(); // guards the fields below
    private readonly Queue<Aftermath> _news = new(); // a connection has few: it drains, and it ends
    private bool _isRunning;

    /// <summary>Hands an aftermath to another thread.</summary>
    public void Add(in Aftermath aftermath)
    {
        if (aftermath.SendsOnly)
        {
            session.Options.Work.Add(new Work(session, aftermath)); // a PING, which no user code delays
        }
        else if (aftermath.ConcernsOwner)
        {
            lock (_gate)
            {
                _news.Enqueue(aftermath);
                if (_isRunning) return;
                _isRunning = true;
            }

            ProcessWorkers.Overdue.Add(new Work(session, this));
        }
        else
        {
            ProcessWorkers.Overdue.Add(new Work(session, aftermath));
        }
    }

    private bool TryTake(out Aftermath aftermath)
    {
        lock (_gate) return _isRunning = _news.TryDequeue(out aftermath);
    }

    private sealed class Work : IWork
    {
        private readonly Session _session;
        private readonly TickedAftermaths? _news;
        private Aftermath _aftermath;

        public Work(Session session, TickedAftermaths news) => (_session, _news) = (session, news);

        public Work(Session session, in Aftermath aftermath) => (_session, _aftermath) = (session, aftermath);

        public string Name => "a log or listener of a tick";

        public IWorkOwner Owner => _session.WorkOwner;

        public IWorkClock? Clock => null;

        public bool IsAbandoned(long now) => false;

        public void Execute()
        {
            if (_news is null) _session.Complete(ref _aftermath);
            else while (_news.TryTake(out _aftermath)) _session.Complete(ref _aftermath);
        }
    }
}
