using System.Security.Claims;
using Mux.Contracts;
using Mux.Identity;
using Mux.Server;

namespace Mux.Core.Tests.Identity;

/// <summary>What contracts and options say together.</summary>
public sealed class AccessRulesTests
{
    private static readonly MethodDescriptor s_unsaid = Method("Unsaid", null);
    private static readonly MethodDescriptor s_everybody = Method("Everybody", new(true, false, [], []));
    private static readonly MethodDescriptor s_user = Method("User", new(false, true, [], []));
    private static readonly MethodDescriptor s_clerk = Method("Clerk", new(false, true, [], ["clerk,manager"]));
    private static readonly MethodDescriptor s_adult = Method("AdultManager", new(false, true, ["adult"], ["manager"]));

    public static TheoryData<string, string> Matrix => new()
    {
        { "nobody", "Everybody" },
        { "stranger", "Everybody User" },
        { "clerk", "Everybody User Clerk" },
        { "manager", "Everybody User Clerk" },
        { "manager adult", "Everybody User Clerk AdultManager" },
        { "clerk adult", "Everybody User Clerk" },
    };

    [Theory]
    [MemberData(nameof(Matrix))]
    public void Every_method_takes_whom_its_contract_names(string who, string allowed)
    {
        MethodDescriptor[] methods = [s_unsaid, s_everybody, s_user, s_clerk, s_adult];
        var sut = new AccessRules(methods, Options());
        var takes = sut.Evaluate(who == "nobody" ? null : User(who.Split(' ')), static (_, _) => { });
        Assert.Equal(allowed, string.Join(' ', methods.Where(method => takes[sut.IndexOf(method)]).Select(method => method.FullName.Split('/')[1])));
        Assert.Equal(["test/Unsaid"], sut.Denied);
    }

    [Fact]
    public void Without_any_requirement_a_method_that_says_nothing_takes_whoever_is_authenticated()
    {
        var options = Options();
        options.Policies.Clear();
        var sut = new AccessRules([s_unsaid, s_everybody], options);
        Assert.True(sut.Evaluate(User("stranger"), static (_, _) => { })[sut.IndexOf(s_unsaid)]);
        Assert.False(sut.Evaluate(null, static (_, _) => { })[sut.IndexOf(s_unsaid)]);
        Assert.Empty(sut.Denied);
    }

    [Fact]
    public void A_policy_alone_denies_what_says_nothing()
    {
        var sut = new AccessRules([s_unsaid], Options());
        Assert.False(sut.Evaluate(User("manager", "adult"), static (_, _) => { })[sut.IndexOf(s_unsaid)]);
    }

    [Theory]
    [InlineData(true, true, "", "", "has both [MuxAuthorize] and [MuxAllowAnonymous]")]
    [InlineData(false, true, "child", "", "requires the policy 'child', which the server does not have; it has adult")]
    [InlineData(false, true, "", " , ", "but this list contains no role")]
    public void What_cannot_be_kept_is_an_error_that_names_the_method(bool allows, bool requires, string policy, string roles, string says)
    {
        var method = Method("Wrong", new(allows, requires, policy.Length > 0 ? [policy] : [], roles.Length > 0 ? [roles] : []));
        var text = Assert.Throws<InvalidOperationException>(() => new AccessRules([method], Options())).Message;
        Assert.Contains("test/Wrong", text, StringComparison.Ordinal);
        Assert.Contains(says, text, StringComparison.Ordinal);
    }

    [Fact]
    public void Names_of_policies_and_roles_are_told_apart_whatever_is_in_them()
    {
        var options = new MuxIdentityOptions { TrustTransport = true, Policies = { ["a\nb"] = static _ => true, ["a"] = static _ => false, ["b"] = static _ => false, ["a\0clerk"] = static _ => false } };
        var one = Method("One", new(false, true, ["a\nb"], []));
        var two = Method("Two", new(false, true, ["a", "b"], []));
        var roles = Method("Roles", new(false, true, ["a\nb"], ["clerk\nmanager"]));
        var lists = Method("Lists", new(false, true, ["a\nb"], ["clerk", "manager"]));
        var sut = new AccessRules([one, two, roles, lists], options);
        Assert.Equal(4, new[] { one, two, roles, lists }.Select(sut.IndexOf).Distinct().Count());
        var takes = sut.Evaluate(User("clerk"), static (_, _) => { });
        Assert.True(takes[sut.IndexOf(one)]);
        Assert.False(takes[sut.IndexOf(two)]);
    }

    [Fact]
    public void Methods_that_say_the_same_share_a_rule()
    {
        var first = Method("First", new(false, true, ["adult"], ["clerk"]));
        var second = Method("Second", new(false, true, ["adult"], ["clerk"]));
        var sut = new AccessRules([first, second], Options());
        Assert.Equal(sut.IndexOf(first), sut.IndexOf(second));
    }

    private static MuxIdentityOptions Options() => new() { TrustTransport = true, Policies = { ["adult"] = static user => user.IsInRole("adult") } };

    private static ClaimsPrincipal User(params string[] roles) => new(new ClaimsIdentity(roles.Select(role => new Claim(ClaimTypes.Role, role)), "test"));

    private static MethodDescriptor Method(string name, MethodAuthorization? authorization) =>
        new("test", name, MethodShape.Unary, takesToken: false) { Authorization = authorization };
}
