namespace Mux.Engine;

/// <summary>
/// Watches the load of connections while they are used, and sleeps while they are not: an idle process has no timers. Connections wake it when they send, which
/// costs one comparison for each send to a link. Safe for concurrent use.
/// </summary>
internal abstract class LoadWatch
{
    private volatile bool _isAwake;
    private volatile bool _isAsked = true; // nothing is asked before the first look allows it
    private volatile bool _isGrowing = true;

    /// <summary>True if a further connection may be dialed now, or is being dialed: calls may wait for it. Any thread.</summary>
    public bool IsGrowing => _isGrowing;

    /// <summary>A connection has sent something. Any thread, no lock held.</summary>
    public void OnSent()
    {
        if (!_isAwake) Wake();
    }

    /// <summary>
    /// A call waits, because as many are open as the peer allows, or a stream because it has no windows. Any thread, under the connection's lock.
    /// </summary>
    public void OnLimit()
    {
        if (_isAsked) return; // many calls may wait, and one look serves them all
        _isAsked = true;
        LookSoon();
    }

    /// <summary>Starts to look, unless it does already.</summary>
    protected abstract void Wake();

    /// <summary>Looks as soon as possible. Must take no lock under which a connection is used.</summary>
    protected abstract void LookSoon();

    /// <summary>Notes if <see cref="OnSent"/> has something to do.</summary>
    protected void SetAwake(bool isAwake) => _isAwake = isAwake;

    /// <summary>Sets <see cref="IsGrowing"/>.</summary>
    protected void SetGrowing(bool isGrowing) => _isGrowing = isGrowing;

    /// <summary>Lets the next <see cref="OnLimit"/> ask for a look, or none.</summary>
    protected void SetAsked(bool isAsked) => _isAsked = isAsked;
}
