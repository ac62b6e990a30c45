using System.Net;

namespace Mux.Discovery.Dns;

/// <summary>Turns SRV records into endpoints. Pure.</summary>
internal static class SrvEndpoints
{
    /// <summary>
    /// The servers of the lowest priority take the calls; those of all others are marked as leaving, so that they get calls only if no other can take them: RFC
    /// 2782 sends no client to them before. The weight of a record is shared by the addresses of its target.
    /// </summary>
    public static EndpointSet Of(SrvAnswer answer, SrvTarget target)
    {
        var usable = answer.Records.Where(server => server.Port > 0 && server.Addresses.Count > 0).ToList();
        if (usable.Count == 0) return EndpointSet.Empty;
        int first = usable.Min(server => server.Priority);
        int largest = usable.Max(server => server.Weight);
        return new EndpointSet(usable.SelectMany(server => server.Addresses.Select(ip => new MuxEndpoint(AddressOf(ip, server.Port, target))
        {
            Weight = WeightOf(server, largest),
            IsLeaving = server.Priority > first,
        })));
    }

    private static MuxAddress AddressOf(IPAddress ip, int port, SrvTarget target)
    {
        var address = MuxAddress.Parse($"{(target.IsTls ? MuxAddress.TlsScheme : MuxAddress.TcpScheme)}://{new IPEndPoint(ip, port)}");
        return target.IsTls ? address.WithServerName(target.ServerName) : address;
    }

    /// <summary>Records without any weight share evenly. Others keep theirs, up to 65,535, scaled down to the 10,000 that an endpoint may have.</summary>
    private static int WeightOf(SrvServer server, int largest)
    {
        if (largest == 0) return MuxEndpoint.DefaultWeight;
        long scaled = largest <= MuxEndpoint.MaxWeight ? server.Weight : (long)server.Weight * MuxEndpoint.MaxWeight / largest;
        return (int)Math.Max(1, scaled / server.Addresses.Count);
    }
}
