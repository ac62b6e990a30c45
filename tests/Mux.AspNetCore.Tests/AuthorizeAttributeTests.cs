using Microsoft.AspNetCore.Authorization;
using Mux.Tests.Contracts;

namespace Mux.AspNetCore.Tests;

/// <summary>ASP.NET Core's own attribute on an implementation, where services of gRPC have it.</summary>
public sealed class AuthorizeAttributeTests
{
    [Fact]
    public void An_implementation_with_Authorize_on_its_class_is_refused() => AssertRefused(new LockedClass(), "[Authorize] on Mux.AspNetCore.Tests.AuthorizeAttributeTests+LockedClass ");

    [Fact]
    public void An_implementation_with_an_attribute_derived_from_it_on_a_method_is_refused() => AssertRefused(new LockedMethod(), "[Adult] on Mux.AspNetCore.Tests.AuthorizeAttributeTests+LockedMethod.Close ");

    private static void AssertRefused(IMixed implementation, string says) =>
        Assert.Contains(says, Assert.Throws<InvalidOperationException>(() => new MuxServer(string.Empty).AddService(implementation)).Message, StringComparison.Ordinal);

    [AttributeUsage(AttributeTargets.Method)]
    private sealed class AdultAttribute() : AuthorizeAttribute("adult");

    [Authorize]
    private sealed class LockedClass : MixedService;

    private sealed class LockedMethod : MixedService
    {
        [Adult]
        public void Close()
        {
        }
    }
}
