using System.Runtime.ExceptionServices;

namespace Mux.TestSupport.Connections;

/// <summary>Threads that race, each with its own piece of a test; what one of them throws fails the test and not the process.</summary>
public sealed class Racers
{
    private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(60);
    private readonly Barrier _barrier;
    private ExceptionDispatchInfo? _failure;

    private Racers(int count) => _barrier = new Barrier(count);

    /// <summary>Runs all pieces at once, the last one on the calling thread, and waits for them.</summary>
    /// <exception cref="TimeoutException">One of them did not come to a <see cref="Meet"/> or to its end within 60 s.</exception>
    public static void Run(params Action<Racers>[] pieces)
    {
        var racers = new Racers(pieces.Length);
        var threads = pieces[..^1].Select(piece => new Thread(() => racers.RunPiece(piece)) { IsBackground = true }).ToList();
        threads.ForEach(thread => thread.Start());
        racers.RunPiece(pieces[^1]);
        bool ended = threads.TrueForAll(thread => thread.Join(s_patience));
        racers._failure?.Throw();
        if (!ended) throw new TimeoutException("Waited 60 s for a racing thread to end.");
        racers._barrier.Dispose();
    }

    /// <summary>Waits until all racers are here.</summary>
    /// <exception cref="TimeoutException">One did not come within 60 s, or failed.</exception>
    public void Meet()
    {
        if (!_barrier.SignalAndWait(s_patience, CancellationToken.None)) throw new TimeoutException("Waited 60 s for the other racers.");
    }

    private void RunPiece(Action<Racers> piece)
    {
        try
        {
            piece(this);
        }
        catch (Exception error)
        {
            Interlocked.CompareExchange(ref _failure, ExceptionDispatchInfo.Capture(error), null);
        }
    }
}
