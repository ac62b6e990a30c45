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

    private readonly LookupClient _client = new(ToClientOptions(options));

    /// <exception cref="IOException">The name has no SRV records, or the name servers do not answer.</exception>
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

        return new SrvAnswer([.. records.Select(record => new SrvServer(
            addresses.GetValueOrDefault(record.Target.Value, []), record.Port, record.Priority, record.Weight))], TimeSpan.FromSeconds(timeToLive));
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
        try
        {
            var response = await _client.QueryAsync(name, type, QueryClass.IN, cancellationToken).ConfigureAwait(false);
            if (!response.HasError || response.Header.ResponseCode == DnsHeaderResponseCode.NotExistentDomain) return response;
            throw new IOException($"The name {name.TrimEnd('.')} cannot be looked up ({type}): {Describe(response)}.");
        }
        catch (Exception error) when (error is DnsResponseException or DnsResponseParseException) // the latter from an answer by TCP
        {
            cancellationToken.ThrowIfCancellationRequested();
            throw new IOException($"The name {name.TrimEnd('.')} cannot be looked up ({type}): {error.Message.TrimEnd('.')}.", error);
        }
    }

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
