using Mux.Proto.Tests.Contracts;
using Mux.Proto.Tests.Imported.Common;
using Mux.Proto.Tests.Imported.Scalars;
using Mux.TestSupport.EndToEnd;
using Tests.Services;

namespace Mux.Proto.Tests.Calls;

/// <summary>Contracts in C# that name imported types.</summary>
public sealed class PaletteTests : EndToEndTests, IPalette, IPaints
{
    [Fact(Timeout = TestLimit)]
    public async Task Contracts_of_this_project_and_of_another_carry_imported_messages()
    {
        var scene = Begin(TransportKind.InMemory);
        var channel = scene.CreateChannel(scene.StartServer(server => server.AddService<IPalette>(this).AddService<IPaints>(this)));
        var token = TestContext.Current.CancellationToken;
        var swatch = await channel.CreateProxy<IPalette>().MixAsync(new Tree { Name = "a", One = new Tree() }, Color.Below, new Point { Y = -4 }, token);
        Assert.Equal((Color.Below, -4, "a", Tree.MoreOneofCase.One), (swatch.Color, Assert.Single(swatch.Points).Y, swatch.Tree!.Name, swatch.Tree.MoreCase));
        var answers = await channel.CreateProxy<IPalette>().NameAsync(new Singular { OfPoint = new Point { X = 3 }, OfSint64 = long.MinValue }, token).ToListAsync(token);
        Assert.Equal("-9223372036854775808 3", Assert.Single(answers).Text);
        Assert.Equal((5, 2), await channel.CreateProxy<IPaints>().FindAsync(Color.Crimson, new Point { X = 5 }) is var found ? (found.X, found.Y) : default);
    }

    [Fact]
    public void Types_that_a_referenced_project_made_are_not_made_again()
    {
        Assert.Equal(typeof(IPaints).Assembly, typeof(Point).Assembly);
        Assert.Null(typeof(PaletteTests).Assembly.GetType(typeof(Point).FullName!));
        Assert.Equal(typeof(Point), typeof(Singular).GetProperty("OfPoint")!.PropertyType);
    }

    ValueTask<Swatch> IPalette.MixAsync(Tree tree, Color color, Point point, CancellationToken cancellationToken) =>
        new(new Swatch { Color = color, Points = { point }, Tree = tree });

    async IAsyncEnumerable<Answer> IPalette.NameAsync(Singular all, [System.Runtime.CompilerServices.EnumeratorCancellation] CancellationToken cancellationToken)
    {
        await Task.Yield();
        yield return new Answer { Text = $"{all.OfSint64} {all.OfPoint!.X}" };
    }

    ValueTask<Point> IPaints.FindAsync(Color color, Point near) => new(new Point { X = near.X, Y = (int)color });
}
