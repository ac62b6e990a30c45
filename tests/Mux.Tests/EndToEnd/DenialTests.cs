using System.Security.Claims;
using Mux.Server;

namespace Mux.Tests.EndToEnd;

/// <summary>What the log of a server says of a caller that does not meet a rule.</summary>
public sealed class DenialTests
{
    [Fact]
    public void Roles_and_policies_that_a_rule_requires_are_named() =>
        Assert.Equal(
            "the method requires one of the roles boss, chief and the policy adult; the caller has: clerk, typist",
            RuleDescription.Of(RuleOf([["boss", "chief"]], "adult"), UserWith("clerk", "typist")));

    [Fact]
    public void A_caller_without_roles_is_said_to_have_none() =>
        Assert.Equal("the method requires the role boss; the caller has no roles", RuleDescription.Of(RuleOf([["boss"]]), UserWith()));

    [Fact]
    public void A_rule_without_roles_says_nothing_of_those_of_the_caller() =>
        Assert.Equal("the method requires the policy adult", RuleDescription.Of(RuleOf([], "adult"), UserWith("clerk")));

    [Fact]
    public void A_method_without_a_rule_is_said_to_declare_none() =>
        Assert.Contains("declares neither [MuxAuthorize] nor [MuxAllowAnonymous]", RuleDescription.Of(AccessRule.Nobody, UserWith("clerk")), StringComparison.Ordinal);

    /// <summary>A token may contain anything.</summary>
    [Fact]
    public void Roles_of_the_caller_are_bounded_and_contain_no_line_breaks()
    {
        string[] roles = ["a\r\nforged line", new string('x', 10_000), .. Enumerable.Range(0, 1000).Select(static number => $"role{number}")];
        var text = RuleDescription.Of(RuleOf([["boss"]]), UserWith(roles));
        Assert.InRange(text.Length, 1, 1_000);
        Assert.DoesNotContain('\n', text);
        Assert.EndsWith(" and others", text, StringComparison.Ordinal);
    }

    private static AccessRule RuleOf(IReadOnlyList<string[]> roles, params string[] policies) =>
        new(AccessRule.Form.Users, [.. policies.Select(static name => (name, new Func<ClaimsPrincipal, bool>(static _ => false)))], roles);

    private static ClaimsPrincipal UserWith(params string[] roles) =>
        new(new ClaimsIdentity(roles.Select(static role => new Claim(ClaimTypes.Role, role)), "test"));
}
