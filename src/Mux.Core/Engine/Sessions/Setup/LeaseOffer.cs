using Mux.Protocol;

namespace Mux.Engine;

/// <summary>
/// What a server offers to the callers that read LEASE. Its connections take a new offer with the next bytes that they send anyway, so an idle one sends none
/// unless the offer is urgent, and each sends an offer once. Thread-safe.
/// </summary>
internal sealed class LeaseOffer
{
    private volatile Version? _current;

    /// <summary>The current offer; null if there was none yet. A new object for each offer.</summary>
    public Version? Current => _current;

    /// <summary>Replaces the offer. The caller keeps to ten a second, because each connection sends each of them.</summary>
    public void Replace(LeaseFrame frame) => _current = new Version(frame);

    /// <summary>One offer.</summary>
    internal sealed class Version(LeaseFrame frame)
    {
        public LeaseFrame Frame => frame;

        /// <summary>True if it must be sent although nothing else is: the server is about to stop, and a caller may have connected a moment ago.</summary>
        public bool IsUrgent => frame.MaxOpenCalls == 0;
    }
}
