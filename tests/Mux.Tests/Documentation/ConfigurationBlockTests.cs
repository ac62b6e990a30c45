using System.Text;
using Microsoft.Extensions.Configuration;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Hosting;
using Microsoft.Extensions.Options;

namespace Mux.Tests.Documentation;

/// <summary>Configuration that readers copy has no unknown keys and no values out of range.</summary>
public sealed class ConfigurationBlockTests
{
    private const string Key = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="; // for the reader's own

    [Fact]
    public void Every_block_of_configuration_is_accepted()
    {
        var blocks = from page in MarkdownPage.ForUsers
                     from block in new MarkdownPage(page).Blocks()
                     where block.Language == "json"
                     from failure in FailuresOf(block.Code.Replace("\"KEY\"", $"\"{Key}\"", StringComparison.Ordinal))
                     select $"{page}: {failure}";
        Assert.Empty(blocks);
    }

    [Fact]
    public void A_block_with_an_unknown_key_is_not_accepted() =>
        Assert.Contains(FailuresOf("""{ "Mux": { "Server": { "MaxMessages": 5 } } }"""), failure => failure.Contains("MaxMessages", StringComparison.Ordinal));

    /// <summary>Files of certificates are on the reader's machine.</summary>
    private static IEnumerable<string> FailuresOf(string json)
    {
        var builder = Host.CreateEmptyApplicationBuilder(null);
        using var stream = new MemoryStream(Encoding.UTF8.GetBytes(json));
        builder.Configuration.AddJsonStream(stream);
        var clients = builder.Configuration.GetSection("Mux:Clients").GetChildren().Select(client => client.Key).ToList();
        builder.Services.AddMuxServer();
        foreach (var client in clients) builder.Services.AddKeyedMuxClient(client);
        using var host = builder.Build();
        var server = FailuresOf(() => host.Services.GetRequiredService<IOptions<MuxServerOptions>>().Value);
        var others = clients.SelectMany(client => FailuresOf(() => host.Services.GetRequiredService<IOptionsMonitor<MuxChannelOptions>>().Get(client)));
        return [.. server.Concat(others).Where(failure => !failure.Contains("/run/tls/", StringComparison.Ordinal))];
    }

    private static IEnumerable<string> FailuresOf(Func<object> read)
    {
        try
        {
            read();
            return [];
        }
        catch (OptionsValidationException e)
        {
            return e.Failures;
        }
    }
}
