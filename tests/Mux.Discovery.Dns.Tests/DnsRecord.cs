using System.Buffers.Binary;
using System.Net;
using System.Text;

namespace Mux.Discovery.Dns.Tests;

/// <summary>A record of a scripted answer.</summary>
/// <param name="Name">Whose record it is.</param>
/// <param name="Type">1 is A, 28 AAAA, 33 SRV, 5 CNAME.</param>
/// <param name="TimeToLive">Seconds.</param>
/// <param name="Data">The rest, as RFC 1035 writes it.</param>
internal sealed record DnsRecord(string Name, ushort Type, int TimeToLive, byte[] Data)
{
    public const ushort A = 1;
    public const ushort Aaaa = 28;
    public const ushort Srv = 33;

    public static DnsRecord Server(string name, string target, int port, int priority = 0, int weight = 0, int timeToLive = 5)
    {
        var data = new List<byte>();
        foreach (int number in new[] { priority, weight, port }) Add(data, number);
        data.AddRange(Encode(target));
        return new DnsRecord(name, Srv, timeToLive, [.. data]);
    }

    public static DnsRecord Address(string name, string address, int timeToLive = 5)
    {
        var ip = IPAddress.Parse(address);
        return new DnsRecord(name, ip.AddressFamily == System.Net.Sockets.AddressFamily.InterNetworkV6 ? Aaaa : A, timeToLive, ip.GetAddressBytes());
    }

    public byte[] Encode()
    {
        List<byte> bytes = [.. Encode(Name)];
        Add(bytes, Type);
        Add(bytes, 1); // IN
        var timeToLive = new byte[4];
        BinaryPrimitives.WriteInt32BigEndian(timeToLive, TimeToLive);
        bytes.AddRange(timeToLive);
        Add(bytes, Data.Length);
        bytes.AddRange(Data);
        return [.. bytes];
    }

    private static byte[] Encode(string name)
    {
        var bytes = new List<byte>();
        foreach (var label in name.Split('.', StringSplitOptions.RemoveEmptyEntries))
        {
            bytes.Add((byte)label.Length);
            bytes.AddRange(Encoding.ASCII.GetBytes(label));
        }

        return [.. bytes, 0];
    }

    private static void Add(List<byte> bytes, int number)
    {
        bytes.Add((byte)(number >> 8));
        bytes.Add((byte)number);
    }
}
