using System.Net.Sockets;
using BeetleX;
using BeetleX.Buffers;

namespace Mux.Transports.BeetleX;

/// <summary>The port of an accepted link. The session knows it as its socket handler.</summary>
internal sealed class SessionPort(BeetleXLink link, ISession session) : IPort, ISessionSocketProcessHandler
{
    public Socket Socket => session.Socket;

    public void Prepare()
    {
        // done when it was accepted
    }

    public void Send(IBuffer buffer) => session.Send(buffer);

    public void Close() => session.Dispose();

    /// <summary>Called by the server's handler.</summary>
    public void OnArrived() => link.OnArrived((PipeStream)session.Stream);

    /// <summary>Called by the server's handler, under a lock of the session.</summary>
    public void OnDisconnected() => link.OnEnded(session.LastSocketError);

    void ISessionSocketProcessHandler.ReceiveCompleted(ISession session, SocketAsyncEventArgs e)
    {
        // after the delivery nothing is left to do
    }

    void ISessionSocketProcessHandler.SendCompleted(ISession session, SocketAsyncEventArgs e, bool end) => link.OnSent();
}
