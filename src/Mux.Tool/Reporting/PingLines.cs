using System.Globalization;
using Mux.Tool.Pinging;

namespace Mux.Tool.Reporting;

/// <summary>The pings of <c>mux ping</c> and their figures as text.</summary>
internal static class PingLines
{
    private const int FigureWidth = 10;

    private static readonly string[] s_titles = ["sent", "lost", "connect", "handshake", "min", "median", "p99", "max"];

    /// <summary>Describes one ping, and the connection that was opened for it.</summary>
    public static IEnumerable<string> Of(PingReply reply)
    {
        if (reply.Opened is { } opened)
        {
            yield return $"{reply.Endpoint}: connected in {Milliseconds(opened.Connect)}, handshake {Milliseconds(opened.Handshake)}{Describe(opened.Hello)}";
        }

        yield return reply.RoundTrip is { } time
            ? $"{reply.Endpoint}: ping {reply.Sequence} answered in {Milliseconds(time)}"
            : $"{reply.Endpoint}: ping {reply.Sequence} lost: {reply.Failure}";
    }

    /// <summary>A table of the endpoints, times in milliseconds.</summary>
    public static IEnumerable<string> Summary(PingOutcome outcome)
    {
        int width = outcome.Endpoints.Max(endpoint => endpoint.Address.ToString().Length);
        yield return "endpoint".PadRight(width) + Row(s_titles);
        foreach (var endpoint in outcome.Endpoints) yield return endpoint.Address.ToString().PadRight(width) + Row(FiguresOf(endpoint));
        yield return "Times in milliseconds.";
        foreach (var endpoint in outcome.Endpoints.Where(static endpoint => endpoint.IsGateway))
        {
            yield return $"{endpoint.Address} is a gateway, which answered by itself. With a route for 'mux.ping', the server behind it answers.";
        }
    }

    private static string[] FiguresOf(PingedEndpoint endpoint)
    {
        var roundTrips = endpoint.RoundTrips();
        bool isAnswered = endpoint.Answered > 0;
        double lost = endpoint.Sent == 0 ? 0 : 1 - ((double)endpoint.Answered / endpoint.Sent);
        return
        [
            Quantity.Count(endpoint.Sent),
            $"{(100 * lost).ToString("0.#", CultureInfo.InvariantCulture)}%",
            Number(endpoint.Connection?.Connect.TotalMilliseconds),
            Number(endpoint.Connection?.Handshake.TotalMilliseconds),
            .. new[] { roundTrips.Min, roundTrips.Percentile(0.5), roundTrips.Percentile(0.99), roundTrips.Max }
                .Select(nanoseconds => Number(isAnswered ? nanoseconds / 1e6 : null)),
        ];
    }

    private static string Describe(ServerHello? hello)
    {
        if (hello is null) return "";
        var name = hello.Name.Length == 0 ? "a server without a name" : $"server '{hello.Name}'";
        var instance = hello.Instance is { } id ? $", instance {id}" : "";
        return $"; {name}{instance}, accepts {Quantity.Count(hello.MaxCalls)} calls, messages of {Quantity.Count(hello.MaxMessageBytes)} bytes"
            + (hello.RequiresAuthentication ? ", requires authentication" : "");
    }

    private static string Row(IEnumerable<string> figures) => string.Concat(figures.Select(figure => figure.PadLeft(FigureWidth)));

    private static string Number(double? milliseconds) => Quantity.Decimal(milliseconds, "0.000");

    private static string Milliseconds(TimeSpan time) => $"{Number(time.TotalMilliseconds)} ms";
}
