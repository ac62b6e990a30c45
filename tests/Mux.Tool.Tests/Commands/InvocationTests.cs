using Mux.Tool.Commands;

namespace Mux.Tool.Tests.Commands;

public sealed class InvocationTests
{
    [Theory]
    [InlineData("mux bench -c 5 mux://[::1]:7070", "bench", "-c", "5", "mux://[::1]:7070")]
    [InlineData("mux capacity --slo 'p99<2ms'", "capacity", "--slo", "p99<2ms")]
    [InlineData("mux bench --json 'it'\\''s'", "bench", "--json", "it's")]
    [InlineData("mux bench --json ''", "bench", "--json", "")]
    public void A_command_line_is_shown_as_a_shell_takes_it(string text, params string[] arguments) => Assert.Equal(text, Invocation.TextOf(arguments));

    [Theory]
    [InlineData("-H", "token: secret")]
    [InlineData("-Htoken: secret")]
    [InlineData("-H=token: secret")]
    [InlineData("--metadata", "token:secret")]
    [InlineData("--metadata=token:secret")]
    [InlineData("--metadata:token:secret")]
    public void Values_of_metadata_are_not_shown(params string[] arguments)
    {
        var text = Invocation.TextOf(arguments);

        Assert.Contains("token: ...", text, StringComparison.Ordinal);
        Assert.DoesNotContain("secret", text, StringComparison.Ordinal);
    }
}
