using System.Net.Sockets;

namespace Yardstick;

/// <summary>Answers queries in place.</summary>
internal sealed class ServerConnection(Socket socket) : Connection(socket, BufferSize)
{
    // Replies to all that fits into one receive of 128 KiB: 23 bytes make 61.
    private const int BufferSize = 1 << 19;

    private readonly byte[] _scratch = new byte[EmployeeCodec.MaxLength];

    protected override void OnFrame(uint id, ReadOnlySpan<byte> body)
    {
        var query = EmployeeCodec.DecodeSearchEmployee(body);
        var employee = new Employee
        {
            EmployeeId = 1,
            LastName = "Davolio",
            FirstName = "Nancy",
            Title = "ja",
            City = "Seattle",
            Region = "WA",
            Country = "USA",
            RequestTime = query.RequestTime,
        };
        Append(id, _scratch.AsSpan(0, EmployeeCodec.Encode(employee, _scratch)));
    }
}
