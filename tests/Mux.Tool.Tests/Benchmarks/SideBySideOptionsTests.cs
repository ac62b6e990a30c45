using SideBySide;
using SideBySide.Load;

namespace Mux.Tool.Tests.Benchmarks;

public sealed class SideBySideOptionsTests
{
    private static readonly string[] s_stacks = ["mux", "grpc", "http-json"];
    private static readonly string[] s_shapes = ["10x200", "1x1"];

    [Fact]
    public void Without_options_everything_is_measured_and_shown()
    {
        var options = Parse();

        Assert.Equal(s_stacks, options.Stacks);
        Assert.Equal(s_shapes, options.Shapes);
        Assert.Equal(3, options.Rounds);
        Assert.True(options.IsForShow);
    }

    [Theory]
    [InlineData("--quick")]
    [InlineData("--rounds", "2")]
    [InlineData("--duration", "1")]
    [InlineData("--warmup", "0.5")]
    [InlineData("--only", "mux,grpc")]
    [InlineData("--shapes", "1x1")]
    public void Less_than_everything_is_not_shown(params string[] arguments) => Assert.False(Parse(arguments).IsForShow);

    [Fact]
    public void More_rounds_than_the_default_are_shown() => Assert.True(Parse("--rounds", "5", "--duration", "3").IsForShow);

    [Fact]
    public void Chosen_stacks_keep_their_order() => Assert.Equal(["mux", "http-json"], Parse("--only", "http-json,mux").Stacks);

    [Theory]
    [InlineData("There is no option '--round'.", "--round", "3")]
    [InlineData("--rounds: its value is missing.", "--rounds")]
    [InlineData("--rounds 0: expected a whole number from 1 to 100.", "--rounds", "0")]
    [InlineData("--duration 0.05: expected seconds, 0.1 to 600.", "--duration", "0.05")]
    [InlineData("--only wcf: expected mux, grpc, http-json.", "--only", "mux,wcf")]
    [InlineData("--shapes 2x2: expected 10x200, 1x1.", "--shapes", "2x2")]
    public void A_wrong_option_is_named_with_what_is_allowed(string message, params string[] arguments) => Assert.Equal(message, Assert.Throws<PeersException>(() => Parse(arguments)).Message);

    [Fact]
    public void Each_shape_has_a_name_of_its_own_that_finds_it() => Assert.All(Shape.All, shape => Assert.Same(shape, Shape.Named(shape.Name)));

    [Fact]
    public void Every_stack_is_measured_once_in_a_turn_and_each_begins_some()
    {
        var turns = Enumerable.Range(0, 3).SelectMany(round => Enumerable.Range(0, 9).Select(place => Turns.Of(s_stacks, round, place).ToArray())).ToArray();

        Assert.All(turns, turn => Assert.Equal(s_stacks.Order(), turn.Order()));
        Assert.Equal([9, 9, 9], s_stacks.Select(stack => turns.Count(turn => turn[0] == stack)));
    }

    private static RunOptions Parse(params string[] arguments) => RunOptions.Parse(arguments, s_stacks, s_shapes);
}
