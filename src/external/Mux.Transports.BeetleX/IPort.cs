using System.Net.Sockets;
using BeetleX.Buffers;

namespace Mux.Transports.BeetleX;

/// <summary>One end of a connection as BeetleX has it: a server's session or a client. They have the same abilities and no type in common.</summary>
internal interface IPort
{
    /// <summary>Null where there is none yet or any more.</summary>
    Socket? Socket { get; }

    /// <summary>The connection is up and the handler about to learn it: the last moment to change it unseen.</summary>
    void Prepare();

    /// <summary>Gives a filled buffer to BeetleX, which sends it after those given before. One thread at a time.</summary>
    void Send(IBuffer buffer);

    /// <summary>Ends the connection at once and releases its handle. Any thread, any number of times.</summary>
    void Close();
}
