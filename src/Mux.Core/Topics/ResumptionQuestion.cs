using Mux.Backplanes;

namespace Mux.Topics;

/// <summary>
/// Asks the backplane whether a subscriber that comes back can continue, if its server does not know: it may be ahead of this server, or its number may be of
/// another time. So it need not wait for an item that says so. The first answer ends it.
/// </summary>
/// <param name="reader">The subscriber.</param>
/// <param name="isInForce">True if this server gets all items that the backplane has when it answers, and did not have before.</param>
internal sealed class ResumptionQuestion<T>(TopicReader<T> reader, bool isInForce) : BackplaneSubscriber, IDisposable
{
    private readonly Lock _gate = new(); // guards what is below
    private IDisposable? _subscription;
    private bool _isOver;
    private bool _isInForce = isInForce;

    /// <exception cref="Exception">Of the backplane.</exception>
    public void Ask(MuxBackplane backplane, string channel, int retained)
    {
        var subscription = backplane.Subscribe(channel, this, retained);
        lock (_gate)
        {
            if (!_isOver)
            {
                _subscription = subscription;
                return;
            }
        }

        subscription.Dispose();
    }

    public override void OnMessage(BackplaneMessage message)
    {
        // The topic gets it by its own subscription.
    }

    public override void OnInterrupted()
    {
        lock (_gate) _isInForce = false;
    }

    public override void OnSynced(BackplaneSnapshot snapshot)
    {
        bool isComplete;
        lock (_gate)
        {
            if (_isOver) return;
            isComplete = _isInForce;
        }

        long after = reader.Resumption!.After, last = snapshot.LastNumber;
        long next = snapshot.Retained.Count > 0 ? snapshot.Retained[0].Number : last + 1;
        if (after > last) reader.Topic.FailResumption(reader, last);
        else if (after < last && !isComplete && next > after + 1) reader.Topic.FailResumption(reader, next);
        Dispose();
    }

    public void Dispose()
    {
        IDisposable? subscription;
        lock (_gate)
        {
            _isOver = true;
            subscription = _subscription;
        }

        subscription?.Dispose();
    }
}
