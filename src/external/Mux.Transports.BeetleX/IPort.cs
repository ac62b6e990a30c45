using System.Net.Sockets;
using BeetleX.Buffers;

namespace Mux.Transports.BeetleX;

/// <summary>One end of a connection in BeetleX: a session of a server, or a client. They have the same abilities but no common type.</summary>
internal interface IPort
{
    /// <summary>Null before there is a socket, and after its end.</summary>
    Socket? Socket { get; }

    /// <summary>Prepares the connection before the handler learns that it is connected.</summary>
    void Prepare();

    /// <summary>Passes a filled buffer to BeetleX, which sends it after the earlier ones. One thread at a time.</summary>
    void Send(IBuffer buffer);

    /// <summary>Ends the connection at once and releases its handle. Any thread, any number of times.</summary>
    void Close();
}
