using BeetleX;
using BeetleX.EventArgs;

namespace Mux.Transports.BeetleX;

/// <summary>
/// Passes the events of one listener's sessions to their links. Writes nothing to the console, unlike BeetleX's default.
/// </summary>
internal sealed class SessionHandler(BeetleXListener listener) : ServerHandlerBase
{
    public override void Connecting(IServer server, ConnectingEventArgs e)
    {
        // nothing to decide before there is a session
    }

    public override void Connected(IServer server, ConnectedEventArgs e) => listener.OnConnected(e.Session);

    public override void SessionReceive(IServer server, SessionReceiveEventArgs e)
    {
        // The arguments belong to the session, which clears them when it ends on another thread.
        if (e.Session?.SocketProcessHandler is SessionPort port) port.OnArrived();
    }

    public override void Disconnect(IServer server, SessionEventArgs e)
    {
        if (e.Session.SocketProcessHandler is not SessionPort port) return;
        port.OnDisconnected();
        listener.OnDisconnected();
    }

    public override void Log(IServer server, ServerLogEventArgs e)
    {
        if (e.Session is null) listener.OnTrouble();
    }

    public override void Error(IServer server, ServerErrorEventArgs e)
    {
        // a connection that ended before it became a session, or a defect here, which its link reports
    }
}
