using Mono.Cecil;
using Mux.Walk.Tests.Samples;

namespace Mux.Walk.Tests.Weaving;

public sealed class ForwardRuleTests
{
    [Theory]
    [InlineData("get_InnerValue")]
    [InlineData(nameof(Forwards.WithArguments))]
    [InlineData(nameof(Forwards.WithProperty))]
    [InlineData(nameof(Forwards.WithConstant))]
    [InlineData(nameof(Forwards.Nothing))]
    [InlineData(nameof(Forwards.Generic))]
    public void A_method_that_only_calls_another_one_is_a_forward(string method) => Assert.True(IsForward(method));

    [Theory]
    [InlineData("get_Value")]
    [InlineData(".ctor")]
    [InlineData(nameof(Forwards.Sum))]
    [InlineData(nameof(Forwards.Twice))]
    [InlineData(nameof(Forwards.OfPropertyThatCalls))]
    [InlineData(nameof(Forwards.Changed))]
    [InlineData(nameof(Forwards.Chosen))]
    [InlineData(nameof(Forwards.Created))]
    [InlineData(nameof(Forwards.Foreign))]
    public void A_method_that_does_more_or_calls_none_of_ours_is_no_forward(string method) =>
        Assert.False(IsForward(method));

    private static bool IsForward(string method)
    {
        using var assembly = AssemblyDefinition.ReadAssembly(typeof(Forwards).Assembly.Location);
        var type = assembly.MainModule.GetType(typeof(Forwards).FullName);
        return ForwardRule.IsForward(type.Methods.Single(candidate => candidate.Name == method));
    }
}
