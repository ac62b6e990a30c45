using System.Net;
using DnsClient;
using DnsClient.Protocol;

namespace Mux.Discovery.Dns;

/// <summary>Asks name servers for SRV records and for the addresses of their targets. Safe for concurrent use.</summary>
/// <param name="options">Which name servers.</param>
internal sealed class SrvLookup(MuxDnsSrvOptions options)
{
    /// <summary>Most queries for addresses at the same time.</summary>
    private const int MaxQueries = 8;

    /// <summary>Most targets that a failure names.</summary>
    private const int MaxNamed = 4;

    private readonly LookupClient _client = new(ToClientOptions(options));

    /// <exception cref="IOException">The name has no SRV records, none of them can be used, or the name servers do not answer.</exception>
    public async Task<SrvAnswer> RunAsync(string name, CancellationToken cancellationToken)
    {
        var response = await QueryAsync(name, QueryType.SRV, cancellationToken).ConfigureAwait(false);
        var records = response.Answers.SrvRecords().ToList();
        if (records.Count == 0) throw new IOException($"The name {name} has no SRV records ({Describe(response)}).");
        int timeToLive = response.Answers.Min(record => record.InitialTimeToLive);
        var addresses = new Dictionary<string, IReadOnlyList<IPAddress>>(StringComparer.OrdinalIgnoreCase);
        var unknown = new List<string>();
        var targets = records.Select(record => record.Target.Value).Where(target => target != "."); // a dot says that there is no service
        foreach (var target in targets.Distinct(StringComparer.OrdinalIgnoreCase))
        {
            var told = response.Additionals.OfType<AddressRecord>().Where(record => Names(record, target)).ToList();
            if (told.Count == 0) unknown.Add(target);
            else addresses[target] = [.. told.Select(record => record.Address)];
            foreach (var record in told) timeToLive = Math.Min(timeToLive, record.InitialTimeToLive);
        }

        foreach (var found in await Task.WhenAll(Resolve(unknown, cancellationToken)).ConfigureAwait(false))
        {
            addresses[found.Target] = found.Addresses;
            timeToLive = Math.Min(timeToLive, found.TimeToLive);
        }

        ThrowIfUseless(name, records, addresses);
        return new SrvAnswer([.. records.Select(record => new SrvServer(
            addresses.GetValueOrDefault(record.Target.Value, []), record.Port, record.Priority, record.Weight))], TimeSpan.FromSeconds(timeToLive));
    }

    /// <summary>
    /// A resolver that has lost the addresses of all targets must not remove all servers: only a target that is a dot says that there are none.
    /// </summary>
    private static void ThrowIfUseless(string name, List<SrvRecord> records, Dictionary<string, IReadOnlyList<IPAddress>> addresses)
    {
        var targets = records.FindAll(record => record.Target.Value != ".");
        if (targets.Count == 0 || targets.Exists(record => record.Port > 0 && addresses[record.Target.Value].Count > 0)) return;
        var reasons = targets.Select(record => $"{record.Target.Value.TrimEnd('.')} has " +
            $"{(addresses[record.Target.Value].Count == 0 ? "no address" : "the port 0")}").Distinct(StringComparer.Ordinal).ToList();
        var more = reasons.Count > MaxNamed ? $" and {reasons.Count - MaxNamed} more" : string.Empty;
        throw new IOException($"None of the SRV records of {name} can be used: {string.Join(", ", reasons.Take(MaxNamed))}{more}.");
    }

    private List<Task<(string Target, IReadOnlyList<IPAddress> Addresses, int TimeToLive)>> Resolve(List<string> targets, CancellationToken cancellationToken)
    {
        var places = new SemaphoreSlim(MaxQueries); // without a wait handle there is nothing to dispose
        return targets.ConvertAll(async target =>
        {
            await places.WaitAsync(cancellationToken).ConfigureAwait(false);
            try
            {
                var four = await QueryAsync(target, QueryType.A, cancellationToken).ConfigureAwait(false);
                var six = await QueryAsync(target, QueryType.AAAA, cancellationToken).ConfigureAwait(false);
                var records = four.Answers.Concat(six.Answers).ToList();
                IReadOnlyList<IPAddress> found = [.. records.OfType<AddressRecord>().Select(record => record.Address)];
                return (Target: target, Addresses: found, TimeToLive: records.Select(record => record.InitialTimeToLive).DefaultIfEmpty(int.MaxValue).Min());
            }
            finally
            {
                places.Release();
            }
        });
    }

    /// <summary>A name that does not exist is an answer. Other errors may be of the moment: they fail the lookup, so that no server is dropped.</summary>
    private async Task<IDnsQueryResponse> QueryAsync(string name, QueryType type, CancellationToken cancellationToken)
    {
        IDnsQueryResponse response;
        try
        {
            response = await _client.QueryAsync(name, type, QueryClass.IN, cancellationToken).ConfigureAwait(false);
        }
        catch (Exception error) when (error is not OperationCanceledException) // the library also throws exceptions that it does not document
        {
            cancellationToken.ThrowIfCancellationRequested();
            throw new IOException(Failed(name, type, Describe(error)), error);
        }

        if (!response.HasError || response.Header.ResponseCode == DnsHeaderResponseCode.NotExistentDomain) return response;
        throw new IOException(Failed(name, type, Describe(response)));
    }

    private string Failed(string name, QueryType type, string reason) =>
        $"The name {name.TrimEnd('.')} cannot be looked up ({type}) at {string.Join(" or ", _client.NameServers)}: {reason}.";

    private static string Describe(Exception error) => error.GetType().Name switch
    {
        "DnsXidMismatchException" => "an answer has the id of another query", // internal, and without a message
        _ => error.Message.TrimEnd('.'),
    };

    private static bool Names(AddressRecord record, string target) => string.Equals(record.DomainName.Value, target, StringComparison.OrdinalIgnoreCase);

    private static string Describe(IDnsQueryResponse response) => response.HasError ? response.ErrorMessage : "the answer is empty";

    private static LookupClientOptions ToClientOptions(MuxDnsSrvOptions options)
    {
        var servers = options.NameServers.Select(server => new NameServer(server)).ToArray();
        var client = servers.Length > 0 ? new LookupClientOptions(servers) : new LookupClientOptions(); // of the system
        client.UseCache = false; // times to live are respected here, and a refresh must not be answered from a cache
        client.Timeout = options.QueryTimeout;
        client.Retries = 1; // with the next server, if there is one
        client.ThrowDnsErrors = false;
        client.UseTcpFallback = true; // long answers
        return client;
    }
}
