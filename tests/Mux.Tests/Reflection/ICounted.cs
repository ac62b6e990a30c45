namespace Mux.Tests.Reflection;

/// <summary>Its contract is <see cref="CountedContract"/>.</summary>
internal interface ICounted
{
    ValueTask Ask();
}
