namespace Mux.Backplanes;

/// <summary>
/// Gets the messages of a channel. A backplane calls the members on any thread, and several of them at the same time; each member alone is called once at a
/// time, in order. They return soon and throw nothing.
/// </summary>
public abstract class BackplaneSubscriber
{
    /// <summary>A message has come, also one that this server has published itself. Messages come in the order of their numbers.</summary>
    /// <param name="message">The message. What it contains may be foreign: others may write to the same system.</param>
    public abstract void OnMessage(BackplaneMessage message);

    /// <summary>A message that this server has published has got its number.</summary>
    /// <param name="tag">The number that the publisher gave with it.</param>
    /// <param name="number">Its number in the channel.</param>
    public virtual void OnPublished(long tag, long number)
    {
    }

    /// <summary>A message that this server has published was taken, but the system did not store it: it does not come.</summary>
    /// <param name="tag">The number that the publisher gave with it.</param>
    public virtual void OnRefused(long tag)
    {
    }

    /// <summary>
    /// The subscription is in force, for the first time or again after an interruption. Called between two messages: those that come after it have numbers
    /// above <see cref="BackplaneSnapshot.LastNumber"/>, without a gap, and those that came before it have not. Messages that this server published before
    /// the snapshot was taken have got their numbers by <see cref="OnPublished"/> before.
    /// </summary>
    /// <param name="snapshot">What the channel has.</param>
    public virtual void OnSynced(BackplaneSnapshot snapshot)
    {
    }

    /// <summary>
    /// The system behind the backplane does not answer at present. Messages are still taken, and come when it does; what this server has published need
    /// not wait for it. It is over with the next message, number, snapshot or interruption.
    /// </summary>
    public virtual void OnSilent()
    {
    }

    /// <summary>The backplane is interrupted. Messages that were taken and have not come yet may come or not.</summary>
    public virtual void OnInterrupted()
    {
    }
}
