using Mux.Core.Tests.Transports.Sockets;
using Mux.Runtime;
using Mux.TestSupport.Transports;
using Mux.Transports;

namespace Mux.Core.Tests.Transports.Epoll;

public sealed class EpollDialTests() : SocketDialTests(SharedLoops.Transport)
{
    [Fact]
    public void A_dial_in_vain_is_told_on_the_thread_that_dials_when_that_has_left_the_link()
    {
        var probe = new LinkProbe("the dialer"); // it checks that nothing is told within Start
        int toldAt = 0;
        probe.WhenClosed = () => toldAt = Environment.CurrentManagedThreadId;
        var link = Nowhere();
        FollowingWork.RunAfter(link, static start => start.Probe.Start(start.Link), (Probe: probe, Link: link));
        Assert.Equal((LinkCloseCause.ConnectFailed, Environment.CurrentManagedThreadId), (probe.Cause, toldAt));
    }

    private static Link Nowhere() => SharedLoops.Transport.CreateLink(MuxAddress.Parse("mux+unix:///nowhere/at.all")); // it fails at once
}
