using System.Diagnostics;
using System.Reflection;
using System.Text.RegularExpressions;
using Mux.TestSupport.Sources;

namespace Mux.Tests.Architecture;

/// <summary>Methods whose name ends in Locked: their first statement asserts the lock, which builds in Debug check.</summary>
/// <remarks>Properties are not looked at: they read a field or two, mostly within a method that asserts.</remarks>
public sealed partial class LockTests(ITestOutputHelper output)
{
    [Fact]
    public void A_method_that_needs_a_lock_asserts_it_first()
    {
        var methods = SourceTree.Files("src/Mux.Core", "*.cs").Concat(SourceTree.Files("src/Mux.Abstractions", "*.cs"))
            .SelectMany(file => LockedMethods(SourceTree.Read(file)).Select(method => (Name: $"{file}: {method.Name}", method.Asserts)))
            .ToList();
        output.WriteLine($"{methods.Count} methods need a lock.");

        Assert.NotEmpty(methods);
        var silent = methods.Where(method => !method.Asserts).Select(method => method.Name).ToList();
        Assert.True(silent.Count == 0, $"The first statement does not assert the lock in {string.Join(", ", silent)}."); // Assert.Empty would cut the names
    }

    [Fact]
    public void Assertions_of_locks_are_not_in_a_release()
    {
        const BindingFlags All = BindingFlags.Instance | BindingFlags.Static | BindingFlags.Public | BindingFlags.NonPublic | BindingFlags.DeclaredOnly;
        var assertions = typeof(MuxChannel).Assembly.GetTypes().SelectMany(type => type.GetMethods(All)).Where(method => method.Name == "AssertLocked").ToList();

        Assert.NotEmpty(assertions);
        Assert.All(assertions, method => Assert.Equal("DEBUG", Assert.Single(method.GetCustomAttributes<ConditionalAttribute>()).ConditionString));
    }

    [Theory]
    [InlineData("void TakeLocked() { _count--; }")]
    [InlineData("void TakeLocked() => _count--;")]
    [InlineData("int TakeLocked<T>(T item, (int, int) place)\n    where T : class\n{\n    return 1;\n}")]
    [InlineData("void TakeLocked() { _count--; Debug.Assert(_gate.IsHeldByCurrentThread); }")]
    [InlineData("void TakeLocked() { Debug.Assert(_gate.IsHeldByCurrentThread || _isOver); }")]
    [InlineData("void TakeLocked() { OtherLocked(); }")]
    public void A_method_that_does_not_assert_its_lock_is_found(string source)
    {
        // If none were found, the law would hold whatever the code did.
        Assert.Equal(("TakeLocked", false), Assert.Single(LockedMethods(source)));
    }

    [Theory]
    [InlineData("void TakeLocked() { Debug.Assert(_gate.IsHeldByCurrentThread); _count--; }")]
    [InlineData("void TakeLocked() { Debug.Assert(network.Pump.Gate.IsHeldByCurrentThread, \"Why.\"); }")]
    [InlineData("void TakeLocked() { Debug.Assert(Monitor.IsEntered(_gate)); }")]
    [InlineData("void TakeLocked(Session session)\n{\n    session.AssertLocked();\n    _count--;\n}")]
    [InlineData("void TakeLocked() => Debug.Assert(Gate.IsHeldByCurrentThread);")]
    public void A_method_that_asserts_its_lock_is_known(string source) => Assert.Equal(("TakeLocked", true), Assert.Single(LockedMethods(source)));

    [Theory]
    [InlineData("bool IsFreeLocked => _count == 0;")]
    [InlineData("abstract void TakeLocked(int count);")]
    [InlineData("if (TryTakeLocked(out var item)) { Use(item); }")]
    [InlineData("lock (_gate) TakeLocked();")]
    public void Properties_declarations_without_a_body_and_calls_are_not_looked_at(string source) => Assert.Empty(LockedMethods(source));

    private static IEnumerable<(string Name, bool Asserts)> LockedMethods(string source) =>
        MethodWithBody().Matches(source).Select(method => (method.Groups[1].Value, Assertion().IsMatch(method.Groups["first"].Value)));

    /// <summary>Name, parameters in balanced parentheses, constraints, and the body up to the end of its first statement. A call is followed by something else.</summary>
    [GeneratedRegex(@"\b(\w+Locked)(?:<[^>(]*>)?\((?>[^()]+|(?<open>\()|(?<-open>\)))*(?(open)(?!))\)(?:\s*where [^{=]*)?\s*(?:\{|=>)(?<first>[^;]*;)")]
    private static partial Regex MethodWithBody();

    [GeneratedRegex(@"^\s*(?:(?:[\w.]+\.)?AssertLocked\(\);|Debug\.Assert\((?:[\w.]+\.IsHeldByCurrentThread|Monitor\.IsEntered\(\w+\))(?:, ""[^""]*"")?\);)")]
    private static partial Regex Assertion();
}
