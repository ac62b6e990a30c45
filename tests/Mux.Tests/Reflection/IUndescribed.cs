namespace Mux.Tests.Reflection;

/// <summary>Its contract is <see cref="UndescribedContract"/>.</summary>
internal interface IUndescribed
{
    ValueTask Ask();
}
